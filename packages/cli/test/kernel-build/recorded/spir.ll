; ModuleID = 'scale.cl'
source_filename = "scale.cl"
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spir64-unknown-unknown"

@scale.tile = internal addrspace(3) global [64 x float] undef, align 4

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @scale(float addrspace(1)* noalias noundef align 4 %0, i8 addrspace(1)* noundef align 1 %1, i32 addrspace(3)* noundef align 4 %2, i32 noundef %3, float noundef %4, i64 noundef %5) #0 !kernel_arg_addr_space !4 !kernel_arg_access_qual !5 !kernel_arg_type !6 !kernel_arg_base_type !7 !kernel_arg_type_qual !8 !kernel_arg_name !9 {
  %7 = alloca float addrspace(1)*, align 8
  %8 = alloca i8 addrspace(1)*, align 8
  %9 = alloca i32 addrspace(3)*, align 8
  %10 = alloca i32, align 4
  %11 = alloca float, align 4
  %12 = alloca i64, align 8
  %13 = alloca i64, align 8
  store float addrspace(1)* %0, float addrspace(1)** %7, align 8, !tbaa !10
  store i8 addrspace(1)* %1, i8 addrspace(1)** %8, align 8, !tbaa !10
  store i32 addrspace(3)* %2, i32 addrspace(3)** %9, align 8, !tbaa !10
  store i32 %3, i32* %10, align 4, !tbaa !14
  store float %4, float* %11, align 4, !tbaa !16
  store i64 %5, i64* %12, align 8, !tbaa !18
  %14 = bitcast i64* %13 to i8*
  call void @llvm.lifetime.start.p0i8(i64 8, i8* %14) #4
  %15 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #5
  store i64 %15, i64* %13, align 8, !tbaa !18
  %16 = load i64, i64* %13, align 8, !tbaa !18
  %17 = load i32, i32* %10, align 4, !tbaa !14
  %18 = zext i32 %17 to i64
  %19 = icmp ult i64 %16, %18
  br i1 %19, label %20, label %25

20:                                               ; preds = %6
  %21 = load float addrspace(1)*, float addrspace(1)** %7, align 8, !tbaa !10
  %22 = load i64, i64* %13, align 8, !tbaa !18
  %23 = getelementptr inbounds float, float addrspace(1)* %21, i64 %22
  %24 = load float, float addrspace(1)* %23, align 4, !tbaa !16
  br label %26

25:                                               ; preds = %6
  br label %26

26:                                               ; preds = %25, %20
  %27 = phi float [ %24, %20 ], [ 0.000000e+00, %25 ]
  %28 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5
  %29 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @scale.tile, i64 0, i64 %28
  store float %27, float addrspace(3)* %29, align 4, !tbaa !16
  %30 = load i64, i64* %12, align 8, !tbaa !18
  %31 = trunc i64 %30 to i32
  %32 = load i32 addrspace(3)*, i32 addrspace(3)** %9, align 8, !tbaa !10
  %33 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5
  %34 = getelementptr inbounds i32, i32 addrspace(3)* %32, i64 %33
  store i32 %31, i32 addrspace(3)* %34, align 4, !tbaa !14
  call spir_func void @_Z7barrierj(i32 noundef 1) #6
  %35 = load i64, i64* %13, align 8, !tbaa !18
  %36 = load i32, i32* %10, align 4, !tbaa !14
  %37 = zext i32 %36 to i64
  %38 = icmp ult i64 %35, %37
  br i1 %38, label %39, label %55

39:                                               ; preds = %26
  %40 = call spir_func i64 @_Z12get_local_idj(i32 noundef 0) #5
  %41 = xor i64 %40, 1
  %42 = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @scale.tile, i64 0, i64 %41
  %43 = load float, float addrspace(3)* %42, align 4, !tbaa !16
  %44 = load float, float* %11, align 4, !tbaa !16
  %45 = fmul float %43, %44
  %46 = load i32 addrspace(3)*, i32 addrspace(3)** %9, align 8, !tbaa !10
  %47 = getelementptr inbounds i32, i32 addrspace(3)* %46, i64 0
  %48 = load i32, i32 addrspace(3)* %47, align 4, !tbaa !14
  %49 = sitofp i32 %48 to float
  %50 = fadd float %45, %49
  %51 = call spir_func zeroext i8 @_Z17convert_uchar_satf(float noundef %50) #5
  %52 = load i8 addrspace(1)*, i8 addrspace(1)** %8, align 8, !tbaa !10
  %53 = load i64, i64* %13, align 8, !tbaa !18
  %54 = getelementptr inbounds i8, i8 addrspace(1)* %52, i64 %53
  store i8 %51, i8 addrspace(1)* %54, align 1, !tbaa !20
  br label %55

55:                                               ; preds = %39, %26
  %56 = bitcast i64* %13 to i8*
  call void @llvm.lifetime.end.p0i8(i64 8, i8* %56) #4
  ret void
}

; Function Attrs: argmemonly nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #1

; Function Attrs: convergent nounwind readnone willreturn
declare dso_local spir_func i64 @_Z13get_global_idj(i32 noundef) #2

; Function Attrs: convergent nounwind readnone willreturn
declare dso_local spir_func i64 @_Z12get_local_idj(i32 noundef) #2

; Function Attrs: convergent
declare dso_local spir_func void @_Z7barrierj(i32 noundef) #3

; Function Attrs: convergent nounwind readnone willreturn
declare dso_local spir_func zeroext i8 @_Z17convert_uchar_satf(float noundef) #2

; Function Attrs: argmemonly nocallback nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #1

; Function Attrs: convergent norecurse nounwind
define dso_local spir_kernel void @clear(half addrspace(1)* noundef align 2 %0, double addrspace(1)* noundef align 8 %1, i16 addrspace(1)* noundef align 2 %2, i64 addrspace(1)* noundef align 8 %3) #0 !kernel_arg_addr_space !21 !kernel_arg_access_qual !22 !kernel_arg_type !23 !kernel_arg_base_type !23 !kernel_arg_type_qual !24 !kernel_arg_name !25 {
  %5 = alloca half addrspace(1)*, align 8
  %6 = alloca double addrspace(1)*, align 8
  %7 = alloca i16 addrspace(1)*, align 8
  %8 = alloca i64 addrspace(1)*, align 8
  store half addrspace(1)* %0, half addrspace(1)** %5, align 8, !tbaa !10
  store double addrspace(1)* %1, double addrspace(1)** %6, align 8, !tbaa !10
  store i16 addrspace(1)* %2, i16 addrspace(1)** %7, align 8, !tbaa !10
  store i64 addrspace(1)* %3, i64 addrspace(1)** %8, align 8, !tbaa !10
  %9 = call spir_func i64 @_Z13get_global_idj(i32 noundef 1) #5
  %10 = icmp ugt i64 %9, 0
  br i1 %10, label %11, label %12

11:                                               ; preds = %4
  br label %38

12:                                               ; preds = %4
  %13 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0) #5
  %14 = load half addrspace(1)*, half addrspace(1)** %5, align 8, !tbaa !10
  call spir_func void @_Z11vstore_halffmPU3AS1Dh(float noundef 0.000000e+00, i64 noundef %13, half addrspace(1)* noundef %14) #6
  %15 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !tbaa !10
  %16 = getelementptr inbounds double, double addrspace(1)* %15, i64 1
  %17 = load double, double addrspace(1)* %16, align 8, !tbaa !26
  %18 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !tbaa !10
  %19 = getelementptr inbounds double, double addrspace(1)* %18, i64 2
  %20 = load double, double addrspace(1)* %19, align 8, !tbaa !26
  %21 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !tbaa !10
  %22 = getelementptr inbounds double, double addrspace(1)* %21, i64 3
  %23 = load double, double addrspace(1)* %22, align 8, !tbaa !26
  %24 = call spir_func double @_Z3fmaddd(double noundef %17, double noundef %20, double noundef %23) #5
  %25 = load double addrspace(1)*, double addrspace(1)** %6, align 8, !tbaa !10
  %26 = getelementptr inbounds double, double addrspace(1)* %25, i64 0
  store double %24, double addrspace(1)* %26, align 8, !tbaa !26
  %27 = load i16 addrspace(1)*, i16 addrspace(1)** %7, align 8, !tbaa !10
  %28 = getelementptr inbounds i16, i16 addrspace(1)* %27, i64 0
  store i16 0, i16 addrspace(1)* %28, align 2, !tbaa !28
  %29 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !tbaa !10
  %30 = getelementptr inbounds i64, i64 addrspace(1)* %29, i64 1
  %31 = load i64, i64 addrspace(1)* %30, align 8, !tbaa !18
  %32 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !tbaa !10
  %33 = getelementptr inbounds i64, i64 addrspace(1)* %32, i64 2
  %34 = load i64, i64 addrspace(1)* %33, align 8, !tbaa !18
  %35 = call spir_func i64 @_Z6rotatemm(i64 noundef %31, i64 noundef %34) #5
  %36 = load i64 addrspace(1)*, i64 addrspace(1)** %8, align 8, !tbaa !10
  %37 = getelementptr inbounds i64, i64 addrspace(1)* %36, i64 0
  store i64 %35, i64 addrspace(1)* %37, align 8, !tbaa !18
  br label %38

38:                                               ; preds = %12, %11
  ret void
}

; Function Attrs: convergent
declare dso_local spir_func void @_Z11vstore_halffmPU3AS1Dh(float noundef, i64 noundef, half addrspace(1)* noundef) #3

; Function Attrs: convergent nounwind readnone willreturn
declare dso_local spir_func double @_Z3fmaddd(double noundef, double noundef, double noundef) #2

; Function Attrs: convergent nounwind readnone willreturn
declare dso_local spir_func i64 @_Z6rotatemm(i64 noundef, i64 noundef) #2

attributes #0 = { convergent norecurse nounwind "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "uniform-work-group-size"="true" }
attributes #1 = { argmemonly nocallback nofree nosync nounwind willreturn }
attributes #2 = { convergent nounwind readnone willreturn "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #3 = { convergent "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" }
attributes #4 = { nounwind }
attributes #5 = { convergent nounwind readnone willreturn }
attributes #6 = { convergent }

!llvm.module.flags = !{!0, !1}
!opencl.ocl.version = !{!2}
!opencl.spir.version = !{!2}
!llvm.ident = !{!3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 7, !"frame-pointer", i32 2}
!2 = !{i32 1, i32 2}
!3 = !{!"Debian clang version 15.0.6"}
!4 = !{i32 1, i32 1, i32 3, i32 0, i32 0, i32 0}
!5 = !{!"none", !"none", !"none", !"none", !"none", !"none"}
!6 = !{!"number*", !"uchar*", !"int*", !"uint", !"number", !"long"}
!7 = !{!"float*", !"uchar*", !"int*", !"uint", !"float", !"long"}
!8 = !{!"restrict const", !"", !"", !"", !"", !""}
!9 = !{!"source", !"target", !"scratch", !"count", !"factor", !"offset"}
!10 = !{!11, !11, i64 0}
!11 = !{!"any pointer", !12, i64 0}
!12 = !{!"omnipotent char", !13, i64 0}
!13 = !{!"Simple C/C++ TBAA"}
!14 = !{!15, !15, i64 0}
!15 = !{!"int", !12, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !12, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !12, i64 0}
!20 = !{!12, !12, i64 0}
!21 = !{i32 1, i32 1, i32 1, i32 1}
!22 = !{!"none", !"none", !"none", !"none"}
!23 = !{!"half*", !"double*", !"ushort*", !"ulong*"}
!24 = !{!"", !"", !"", !""}
!25 = !{!"h", !"d", !"s", !"l"}
!26 = !{!27, !27, i64 0}
!27 = !{!"double", !12, i64 0}
!28 = !{!29, !29, i64 0}
!29 = !{!"short", !12, i64 0}
